export const sessions = {
  title: 'Your sessions',
  text: 'The browsers in which you are signed in. A session ends after 30 minutes without activity, and after 12 hours at the latest.',
  browser: 'Browser',
  address: 'IP address',
  lastSeen: 'Last used',
  signedIn: 'Signed in',
  current: 'This browser',
  end: 'End',
  ended: 'The session has ended.',
  everywhere: 'Sign out everywhere',
  unknownBrowser: 'Unknown browser',
} as const
