import { z } from 'zod'
import { providerCatalog } from '../../../connectors/kit/generated/catalog.ts'
import { findConnector } from '../../../connectors/registry.ts'
import type { CredentialField, ProviderEntry } from './record.ts'

const secretName = /key|secret|token|password|passkey|passphrase|credential|hash|certificate|hmac|pin$/i

/** Every provider that the installation can speak to, whether or not anybody has keys for it. */
export const listProviderEntries = (): ProviderEntry[] =>
  providerCatalog.map((entry) => ({ ...entry, credentialFields: fieldsOf(entry.provider) }))

const objectSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  required: z.array(z.string()).default([]),
})

function fieldsOf(provider: string): CredentialField[] {
  const definition = findConnector(provider)
  if (!definition) return []
  const schema = z.toJSONSchema(definition.credentials, { io: 'input', unrepresentable: 'any' })
  const { properties, required } = objectSchema.parse(schema)
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: typeof field['type'] === 'string' ? field['type'] : 'object',
    isRequired: required.includes(name),
    isSecret: secretName.test(name),
    schema: field,
  }))
}
