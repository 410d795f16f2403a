import type { Connector, ConnectorDefinition } from './connector.ts'

type Functions = keyof {
  [
    Name in keyof Connector as NonNullable<Connector[Name]> extends (...inputs: never[]) => unknown
      ? Name
      : never
  ]: true
}

const functionOfDirection = {
  payin: 'collect',
  payout: 'payout',
  on_ramp: 'onRamp',
  off_ramp: 'offRamp',
} as const satisfies Record<Connector['capabilities'][number]['direction'], Functions>

/** One sentence for each capability that the connector declares and has no function for. */
export function missingFunctions(definition: ConnectorDefinition, connector: Connector): string[] {
  const { name, capabilities } = connector
  const sentences = new Set<string>()
  const require = (declared: string, needed: Functions): void => {
    if (connector[needed] === undefined)
      sentences.add(`The connector ${name} declares ${declared} but has no function ${needed}.`)
  }
  for (const { direction, method } of capabilities)
    require(`${direction} by ${method}`, functionOfDirection[direction])
  if (definition.webhooks) {
    require('webhooks', 'verifyWebhook')
    require('webhooks', 'readWebhook')
  }
  if (connector.refund) require('refund', 'inquireRefund')
  if (connector.accountCurrencies) require('accountCurrencies', 'openAccount')
  if (connector.listsOnly) require('listsOnly', 'listTransactions')
  return [...sentences]
}

/** Returns the connector, or throws if it lacks a function for something that it declares. */
function assertComplete(definition: ConnectorDefinition, connector: Connector): Connector {
  const sentences = missingFunctions(definition, connector)
  if (sentences.length > 0) throw new Error(sentences.join(' '))
  return connector
}

/** Every connector that one of these definitions creates is complete. */
export function registerConnectors<Name extends string>(
  definitions: Readonly<Record<Name, ConnectorDefinition>>,
): Readonly<Record<Name, ConnectorDefinition>> {
  const registered = Object.entries<ConnectorDefinition>(definitions).map(([name, definition]) => {
    if (definition.name !== name)
      throw new Error(`The connector ${definition.name} is registered under the name ${name}.`)
    return [
      name,
      { ...definition, create: (context) => assertComplete(definition, definition.create(context)) },
    ] satisfies [string, ConnectorDefinition]
  })
  // The entries have exactly the keys of the argument.
  return Object.fromEntries(registered) as Record<Name, ConnectorDefinition>
}
