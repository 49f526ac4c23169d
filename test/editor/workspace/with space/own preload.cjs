// What a user's own `--require` names; its path holds a space.
globalThis.ownPreload = true;
