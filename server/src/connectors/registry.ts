import type { ConnectorDefinition, ProviderName } from './kit/connector.ts'

/** Every connector, one line each. */
export const connectorDefinitions: Partial<Record<ProviderName, ConnectorDefinition>> = {}
