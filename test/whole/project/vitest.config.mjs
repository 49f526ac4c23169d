export default { test: { include: ['test/*.spec.mjs'] } };
