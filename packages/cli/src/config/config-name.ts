/** The configuration that is read without being named. */
export const configName = 'repertoire.config.json';
