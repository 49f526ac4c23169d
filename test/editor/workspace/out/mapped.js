"use strict";
var import_node_crypto = require("node:crypto");
function hash({ password, turns }) {
  (0, import_node_crypto.pbkdf2)(password, "salt", turns, 64, "sha512", () => void 0);
}
hash({ password: "one", turns: 2e4 });
hash({ password: "two", turns: 2e4 });
//# sourceMappingURL=mapped.js.map
