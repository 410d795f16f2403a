export const signIn = {
  title: 'Sign in to Switchyard',
  text: 'You continue at your organisation’s identity provider.',
  button: 'Sign in',
  signedOut: 'You are signed out.',
  errors: {
    expired: 'The sign-in took too long or was started in another browser. Please sign in again.',
    refused: 'The identity provider did not confirm who you are. Please sign in again.',
    'not-a-member': 'You are not a member of any organisation here. Ask an administrator to invite you.',
    'too-weak':
      'Your role requires a stronger sign-in, for example with a second factor. Please sign in again that way.',
    unavailable: 'The identity provider is not responding at the moment. Please try again shortly.',
  },
} as const
