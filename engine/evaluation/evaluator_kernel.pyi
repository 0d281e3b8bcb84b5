class EvaluatorKernel:
    @property
    def adjusts(self) -> bool:
        """Whether it changes the equity of plays by what depends on more than their leaves."""
