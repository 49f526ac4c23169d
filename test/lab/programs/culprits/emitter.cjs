// An object emits an event after each timer; a listener computes.
const { EventEmitter } = require('node:events');

class Orders extends EventEmitter {
	place(order) {
		order.id = Math.random();
		this.emit('placed', order); // calls
		return order;
	}
}

const orders = new Orders();
const tax = (order) => {
	const until = performance.now() + 150;
	while (performance.now() < until) order.tax = Math.sqrt(order.id); // computes
};
orders.on('placed', tax);
let left = 6;
const interval = setInterval(() => {
	orders.place({});
	if (--left === 0) clearInterval(interval);
}, 20);
