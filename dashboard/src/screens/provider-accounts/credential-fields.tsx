import type { ProviderCatalogEntry } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { accounts as text } from '../../messages/generated/texts.ts'
import { AreaField, SelectField, TextField } from '../../ui/fields.tsx'

type CredentialField = ProviderCatalogEntry['credential_fields'][number]

const fieldName = (name: string): string => `credentials.${name}`

const isStructured = ({ type }: CredentialField): boolean => type === 'object' || type === 'array'

const choicesOf = ({ schema, type }: CredentialField): string[] => {
  if (type === 'boolean') return ['true', 'false']
  return Array.isArray(schema['enum']) ? schema['enum'].map(String) : []
}

const defaultOf = ({ schema }: CredentialField): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof schema['default']) ? String(schema['default']) : undefined

/** Turns a name into a label: `secretKey` and `secret_key` become “Secret key”. */
function labelOf(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  const label = words.replaceAll(/\b(?:url|id|api)\b/g, (word) => word.toUpperCase())
  return label.charAt(0).toUpperCase() + label.slice(1)
}

/** The credentials as the provider's connector expects them. They are kept in the form and nowhere else. */
export function readCredentials(
  fields: readonly CredentialField[],
  read: (name: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const typed = read(fieldName(field.name))
      return typed === '' ? [] : [[field.name, toValue(field, typed)]]
    }),
  )
}

function toValue(field: CredentialField, typed: string): unknown {
  if (field.type === 'boolean') return typed === 'true'
  if (field.type === 'integer' || field.type === 'number') return Number(typed)
  return isStructured(field) ? JSON.parse(typed) : typed
}

export const CredentialFields = ({ fields }: { fields: readonly CredentialField[] }): ReactElement => (
  <>
    {fields.map((field) => (
      <CredentialInput key={field.name} field={field} />
    ))}
  </>
)

function CredentialInput({ field }: { field: CredentialField }): ReactElement {
  const common = {
    name: fieldName(field.name),
    label: labelOf(field.name),
    required: field.is_required,
    ...(!field.is_required && { hint: text.optional }),
    defaultValue: defaultOf(field),
  }
  const choices = choicesOf(field)
  if (choices.length > 0) {
    const options = Object.fromEntries(choices.map((choice) => [choice, choice]))
    return <SelectField {...common} options={field.is_required ? options : { '': '–', ...options }} />
  }
  if (isStructured(field)) return <AreaField {...common} />
  return <TextField {...common} type={field.is_secret ? 'password' : 'text'} autoComplete="new-password" />
}
