"""The parts of an MPI job: launch, protocol, messages between ranks, and the search of one rank."""
