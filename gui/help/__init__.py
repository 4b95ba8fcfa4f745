"""What helps: pages, keys, every action by words, a first line, and what is said when something goes wrong."""
