/** What a notice says. Variables are plain text; a mail has no other source of content. */
interface Template {
  subject(variables: Record<string, string>): string
  text(variables: Record<string, string>): string
}

export const templates = {
  'member-welcome': {
    subject: ({ orgName = '' }) => `Welcome to ${orgName} on Switchyard`,
    text: ({ firstName = '', orgName = '', role = '' }) =>
      `Hello ${firstName},\n\nyou are now a member of ${orgName} with the role ${role}.\n\nIf you did not expect this, tell an administrator of ${orgName}.\n`,
  },
} as const satisfies Record<string, Template>

export type TemplateName = keyof typeof templates

export const isTemplate = (name: string): name is TemplateName => Object.hasOwn(templates, name)
