export default { compilerOptions: { runes: undefined } };
