import type { Mail } from '../../lib/mailer.ts'

/** What a notice says. Variables are plain text; a mail has no other source of content. */
interface Template {
  subject(variables: Record<string, string>): string
  text(variables: Record<string, string>): string
}

const templates = {
  'member-welcome': {
    subject: ({ orgName = '' }) => `Welcome to ${orgName} on Switchyard`,
    text: ({ firstName = '', orgName = '', role = '' }) =>
      `Hello ${firstName},\n\nyou are now a member of ${orgName} with the role ${role}.\n\nIf you did not expect this, tell an administrator of ${orgName}.\n`,
  },
  'webhook-disabled': {
    subject: () => 'A webhook endpoint was disabled',
    text: ({ firstName = '', endpointUrl = '' }) =>
      `Hello ${firstName},\n\nthe endpoint ${endpointUrl} has not accepted one event for five days and was disabled.\n\nRepair it, set it to active again, and recover the events that it missed.\n`,
  },
} as const satisfies Record<string, Template>

export type TemplateName = keyof typeof templates

const isTemplate = (name: string): name is TemplateName => Object.hasOwn(templates, name)

export function renderMail(notification: {
  template: string
  recipient: string
  variables: Record<string, string>
}): Omit<Mail, 'messageId'> {
  const { template, recipient, variables } = notification
  if (!isTemplate(template)) throw new Error(`unknown template ${template}`)
  const { subject, text } = templates[template]
  return { to: recipient, subject: subject(variables), text: text(variables) }
}
