export const dataKeys = {
  title: 'Data key',
  text: 'Names, numbers and other personal data of your organisation are encrypted under a key of its own. After a rotation, new data uses the new key at once, and older data is encrypted again in the background. Nothing else changes.',
  rotate: 'Rotate the key',
  confirmTitle: 'Rotate the data key?',
  confirmText: 'The API keeps working, and no answer changes. The audit log records it.',
  submit: 'Rotate',
  done: 'New data is encrypted under a new key.',
  current: 'New key',
} as const
