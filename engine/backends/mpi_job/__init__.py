"""What an MPI job is made of: the launch, what is said meanwhile, and one rank's part of the search."""
