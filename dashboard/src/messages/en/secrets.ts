export const secrets = {
  once: 'It is shown only this once. Store it now.',
  stored: 'I have stored it',
} as const
