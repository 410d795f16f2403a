export const dataKeys = {
  title: 'Data key',
  text: 'Your organisation has its own key, which encrypts names, numbers and other personal data. After a rotation, new data uses the new key immediately, and older data is re-encrypted in the background. Nothing else changes.',
  rotate: 'Rotate the key',
  confirmTitle: 'Rotate the data key?',
  confirmText: 'The API keeps working as before. The audit log records the rotation.',
  submit: 'Rotate',
  done: 'New data is encrypted with a new key.',
  current: 'New key',
} as const
