// Three hundred at once that nothing has to serve: timers.
for (let k = 0; k < 300; k++) setTimeout(() => undefined, 100);
