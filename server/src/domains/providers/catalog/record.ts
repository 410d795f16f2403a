import type { CatalogEntry } from '../../../connectors/kit/catalog.ts'

/** One field of what is stored for a provider. */
export interface CredentialField {
  name: string
  type: string
  isRequired: boolean
  /** A form should hide what is typed into it. All fields are stored encrypted. */
  isSecret: boolean
  /** The JSON schema of the field, with its default. */
  schema: Record<string, unknown>
}

export interface ProviderEntry extends CatalogEntry {
  credentialFields: CredentialField[]
}
