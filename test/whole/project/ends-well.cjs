// For servers that do nothing about SIGTERM: they would be killed in the middle of what they record.
process.on('SIGTERM', () => process.exit(0));
