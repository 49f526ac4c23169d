// For programs that use `fetch` in Wine 8: it does not know TCP_KEEPALIVE, the delay that undici sets for each socket, and Node lets the connection
// fail for that.
require('node:net').Socket.prototype.setKeepAlive = function setKeepAlive() {
	return this;
};
