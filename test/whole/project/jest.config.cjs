module.exports = { testMatch: ['**/test/*.test.cjs'], transform: {} };
