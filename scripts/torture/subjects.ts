/** The long runs, and what each does. */
export const subjects = {
  commits: "connections cut around commits, nodes and PostgreSQL killed under load",
  http: "the same kills as partners see them over HTTP",
  promote:
    "the standby lost before every statement, its waits cancelled, and promoted: nothing left that it does not know",
  failovers:
    "inquiries about transfers while a primary and its standby fail over, or a node stays with the old primary",
  acts: "approved acts of operators, their nodes killed, the standby lost and promoted: each is carried out once",
  cells: "payments between two clusters, which are killed as their nodes are: each arrives once",
  "silent-cell": "a cell away for a minute under load: home goes on, and nothing is lost or taken",
  "silent-home": "home away for a minute under load: another cell goes on, and nothing of home is lost or taken",
  moves:
    "accounts moved from one cell to another and back under load, a node killed: each payment once, no other call disturbed",
  "cells-suites": "the black-box suites with sandboxes of two databases",
  "full-disk": "a full disk while partners pay, until there is space again",
  "full-rail-disk": "a full disk under a rail of files while partners pay, until there is space again",
  holds: "every race about a hold, over one node and over two processes",
  "payment-requests": "every race about the answers to a payment request, over two nodes",
  dispatch:
    "transfers over rails and items of bulks, their node killed at every moment, then everything harmed under load",
  bulks: "a bulk over HTTP on two nodes that are killed while they accept it and send its items",
  notifications: "20 partners notified by two nodes that are killed: 8 sick endpoints delay no healthy one",
  attack: "callers without credentials, each while a partner makes signed calls",
  fuzz: "malformed requests against a running service (npm run fuzz)",
  audit: "the audit of 10 million entries, then of what came since",
  pages: "every page of the console in every look: width, theme and language",
  docs: "every shell block of the documents pasted into each shell, every program of the console",
  users: "what each kind of user does, run as that user: role, shells, Node, production, minimal root, languages",
  schema: "the whole suite, its tables in another schema than public",
  citus: "the black-box suites in distributed schemas of Citus, where TITIAN_TEST_CITUS_URL leads to one",
  mutants: "each guard of the server broken in a copy: a test fails",
  "locked-row": "what a locked payer costs the others",
  "file-rail": "what an interbank transfer costs on the node without a file rail's lease",
} as const;
