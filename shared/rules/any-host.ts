/** In place of the name of a host: the host that is asked chooses. */
export const ANY_HOST = 'any';
