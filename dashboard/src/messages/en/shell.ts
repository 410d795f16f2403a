/** The frame around every screen: navigation, menus, palette, sessions that end. */
export const shell = {
  product: 'Switchyard',
  skipToContent: 'Skip to content',
  navigation: { label: 'Main', overview: 'Overview', money: 'Money', account: 'Account' },
  screens: {
    home: 'Home',
    payments: 'Payments',
    approvals: 'Approvals',
    exceptions: 'Exceptions',
    disputes: 'Disputes',
    refunds: 'Refunds',
    reconciliation: 'Reconciliation',
    payoutBatches: 'Bulk payouts',
    sessions: 'Your sessions',
    signIn: 'Sign in',
  },
  organization: { switch: 'Switch organisation', current: 'current', switched: 'You now work in' },
  account: {
    menu: 'Your account',
    theme: 'Theme',
    themes: { light: 'Light', dark: 'Dark', system: 'System' },
    keys: 'Keyboard shortcuts',
    signOut: 'Sign out',
  },
  palette: {
    title: 'Go to',
    open: 'Search or go to',
    placeholder: 'Type a screen or an action',
    nothing: 'Nothing matches.',
  },
  help: {
    title: 'Keyboard shortcuts',
    close: 'Close',
    palette: 'Go to a screen or an action',
    help: 'Show this list',
    rows: 'Next and previous row',
    go: 'Go to',
  },
  session: {
    ended: 'Your session has ended',
    endedText:
      'You were signed out after 30 minutes without activity, after 12 hours, or from another browser.',
    signIn: 'Sign in again',
    changed: 'You switched the organisation in another tab',
    changedText: 'This page shows another organisation than your session. Nothing was changed.',
    reload: 'Reload',
  },
} as const
