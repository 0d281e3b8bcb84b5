"""The command line of the benchmarks: `bench.bench_command` and `experiment.experiment_command`."""
