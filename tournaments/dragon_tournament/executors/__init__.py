"""The executors: what plays the games of a tournament, in this process, others, or elsewhere.

`executor` has the interface and finds one by its name. `local` are those of this machine: a
`supervisor` hands games to a pool of processes, in which `worker` plays and which
`process_group` ends. `futures` plays over executors of `concurrent.futures`, `dask` on a cluster;
there `remote` has a supervisor of its own.
"""
