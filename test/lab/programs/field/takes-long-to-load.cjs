const end = performance.now() + 400;
while (performance.now() < end);
module.exports = 'heavy';
