// A preload of the user's own, as an APM agent or a test runner has one. Waitline's command line tool is a Node program too
// and loads it as well, so it speaks in the program only.
if (/with-options\.cjs$/.test(process.argv[1])) console.log("the user's preload ran");
