// How a session comes to its rows, where the order in which it locks them is at stake. The whole of it has to be said: left a
// choice, the planner takes a bitmap one day, and that goes by the file.

export const BY_INDEX = "set enable_seqscan = off; set enable_bitmapscan = off";
export const BY_FILE = "set enable_indexscan = off; set enable_bitmapscan = off";
