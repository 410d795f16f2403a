import { describe, expect, test } from 'vitest'
import { connectorDefinitions } from '@switchyard/server/connectors/registry.ts'
import { connectorsPage, describedConnectors, type DescribedConnector } from './connectors.ts'

const isRailOfOurOwn = (name: string): boolean => name === 'manual'

describe('docs/connectors.md', () => {
  const connectors = describedConnectors()

  test('has every connector of the registry, in both tables', () => {
    const page = connectorsPage(connectors)
    for (const name of Object.keys(connectorDefinitions)) {
      const rows = page.split('\n').filter((line) => line.startsWith(`| ${name} |`))
      expect(rows.length).toBeGreaterThan(1)
    }
  })

  test('a connector that verifies webhooks declares their proof, and every provider declares its sandbox', () => {
    for (const { definition, connector } of connectors) {
      const { name, webhooks, sandbox } = definition
      expect([name, webhooks !== undefined]).toEqual([name, connector.verifyWebhook !== undefined])
      expect([name, sandbox !== undefined]).toEqual([name, !isRailOfOurOwn(name)])
    }
  })

  test('a ramp has a row with its assets and their networks', () => {
    const ramp = {
      direction: 'on_ramp',
      method: 'bank_transfer',
      countries: ['NG', 'KE'],
      currencies: ['NGN'],
      assets: { USDC: ['ETH', 'POLYGON'] },
    }
    const made = { definition: { name: 'circle' }, connector: { capabilities: [ramp] } }
    const page = connectorsPage([made as unknown as DescribedConnector])
    expect(page).toContain(
      '| circle | on ramp | bank transfer | NG KE | NGN, USDC on ETH POLYGON | reference | reference |',
    )
  })
})
