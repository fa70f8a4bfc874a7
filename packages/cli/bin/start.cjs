/* Apart from the check of the version: a Node that is too old may not even read an `import()`. */
"use strict";

void import("../dist/run.js").then(({ run }) => run());
