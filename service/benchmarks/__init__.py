"""The work of `kibitz bench`: positions, contenders, interleaved timing, reports. No command line in here."""
