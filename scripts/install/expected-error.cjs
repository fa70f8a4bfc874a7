"use strict";

/** An error whose message is all the user needs: printed without a stack. */
function expectedError(message) {
  return Object.assign(new Error(message), { isExpected: true });
}

module.exports = { expectedError };
