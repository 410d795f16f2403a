import { describe, expect, it } from 'vitest'
import { isInNetworks, isNetwork } from './networks.ts'

describe('isNetwork', () => {
  it.each(['203.0.113.7', '203.0.113.0/24', '10.0.0.0/8', '2001:db8::1', '2001:db8::/32', '::1'])(
    'reads %s',
    (text) => expect(isNetwork(text)).toBe(true),
  )
  it.each([
    '',
    'localhost',
    '203.0.113',
    '203.0.113.7/33',
    '203.0.113.7/0',
    '203.0.113.7/',
    '203.0.113.7/024',
  ])('refuses %s', (text) => expect(isNetwork(text)).toBe(false))
  it.each(['0.0.0.0/0', '::/0', '2001:db8::/129', 'fe80::1%eth0', '1.2.3.4/8/9', ' 1.2.3.4', '1.2.3.4/1e1'])(
    'refuses %s',
    (text) => expect(isNetwork(text)).toBe(false),
  )
})

describe('isInNetworks', () => {
  const networks = ['203.0.113.0/24', '198.51.100.7', '2001:db8::/32']
  it.each(['203.0.113.0', '203.0.113.255', '198.51.100.7', '2001:db8:ffff::1', '::ffff:203.0.113.9'])(
    '%s is in them',
    (address) => expect(isInNetworks(networks, address)).toBe(true),
  )
  it.each([
    '203.0.112.255',
    '203.0.114.0',
    '198.51.100.8',
    '2001:db9::1',
    '::ffff:198.51.100.8',
    'unknown',
    '',
  ])('%s is not', (address) => expect(isInNetworks(networks, address)).toBe(false))
  it('a network is in them only with all of its addresses', () => {
    expect(isInNetworks(networks, '203.0.113.128/25')).toBe(true)
    expect(isInNetworks(networks, '203.0.113.0/24')).toBe(true)
    expect(isInNetworks(networks, '203.0.112.0/23')).toBe(false)
    expect(isInNetworks(networks, '198.51.100.0/24')).toBe(false)
    expect(isInNetworks([], '203.0.113.7')).toBe(false)
  })
})
