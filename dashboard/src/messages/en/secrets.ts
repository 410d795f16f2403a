export const secrets = {
  once: 'This is the only time that it is shown. Store it now.',
  stored: 'I have stored it',
} as const
