import { BlockList, isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { createTunnels, type OpenTunnel } from './egress-proxy.ts'
import { resolveAddresses, type ResolveAddresses } from './resolve-addresses.ts'

export interface EgressPolicy {
  /** Allows receivers on this machine without TLS, for development. */
  allowLoopback: boolean
  allowedPorts: readonly number[]
}

// IANA's special-purpose registries, and public addresses that have a special meaning inside a cloud.
// One list per family: a list that contains ::ffff:0:0/96 also matches every IPv4 address.
const internalIpv4 = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['161.26.0.0', 16], // IBM Cloud's own services, which only its machines reach
  ['166.8.0.0', 14], // the same
  ['168.63.129.16', 32], // Azure's wire server
  ['169.254.0.0', 16], // link-local, with the metadata services of most clouds
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['199.36.153.4', 30], // Google's APIs for private networks
  ['199.36.153.8', 30], // the same
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  internalIpv4.addSubnet(network, prefix, 'ipv4')

/** The IPv6 range for public use; NAT64, mapped, local and reserved addresses are outside it. */
const publicIpv6 = new BlockList()
publicIpv6.addSubnet('2000::', 3, 'ipv6')

const internalIpv6 = new BlockList()
for (const [network, prefix] of [
  ['2001::', 23], // Teredo and other special uses
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20],
] as const)
  internalIpv6.addSubnet(network, prefix, 'ipv6')

/** Whether an address is not on the public internet. */
export function isInternalAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return internalIpv4.check(address)
  if (family === 6) return !publicIpv6.check(address, 'ipv6') || internalIpv6.check(address, 'ipv6')
  return true
}

const isLoopback = (address: string): boolean =>
  address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))

const isRefused = (address: string, policy: EgressPolicy): boolean =>
  isInternalAddress(address) && !(policy.allowLoopback && isLoopback(address))

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')

const internalName =
  /\.(?:local|localhost|localdomain|internal|intranet|private|lan|home|corp|svc|arpa|test|example|invalid|onion)$/

/** Why a URL is not allowed; undefined when it is. Host names are checked again when they are resolved. */
export function egressProblem(text: string, policy: EgressPolicy): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL'
  const url = new URL(text)
  const host = withoutBrackets(url.hostname).replace(/\.$/, '')
  const isLocal = policy.allowLoopback && (host === 'localhost' || isLoopback(host))
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) return 'must be https'
  if (url.username !== '' || url.password !== '') return 'must not hold credentials'
  if (text.includes('#')) return 'must not hold a fragment'
  if (isLocal) return undefined
  if (url.port !== '' && !policy.allowedPorts.includes(Number(url.port)))
    return `must use port ${policy.allowedPorts.join(' or ')}`
  if (isIP(host) !== 0) return isRefused(host, policy) ? 'must be a public address' : undefined
  const labels = host.split('.')
  if (labels.length < 2 || labels.includes('') || internalName.test(host)) return 'must be a public host name'
  return undefined
}

class RefusedAddress extends Error {
  readonly code = 'REFUSED_ADDRESS'
  constructor() {
    super('the target is an internal address')
  }
}

const connectLimitMs = 10_000
const httpPort = 80
const httpsPort = 443
/** More than can be in flight: the limit per receiver is applied before, so that no request queues here. */
const connectionsPerOrigin = 512

interface EgressAgentOptions {
  resolve?: ResolveAddresses
  /** Sends all requests through this egress proxy. */
  proxyUrl?: string | undefined
}

/** Checks every address when it connects, so that a changed DNS answer is checked as well. */
export function createEgressAgent(policy: EgressPolicy, options: EgressAgentOptions = {}): Agent {
  const { resolve = resolveAddresses, proxyUrl } = options
  const check: ResolveAddresses = async (hostname) => {
    const host = withoutBrackets(hostname)
    // undici does not resolve an IP literal, so it is checked here.
    const addresses = isIP(host) === 0 ? await resolve(host) : [{ address: host, family: isIP(host) }]
    if (addresses.length === 0 || addresses.some(({ address }) => isRefused(address, policy)))
      throw new RefusedAddress()
    return addresses
  }
  return new Agent({
    connections: connectionsPerOrigin,
    pipelining: 1,
    connect:
      proxyUrl === undefined
        ? connectDirectly(check)
        : connectThrough(createTunnels(proxyUrl, connectLimitMs), check),
  })
}

function connectDirectly(check: ResolveAddresses): buildConnector.connector {
  const lookup: LookupFunction = (hostname, options, callback) => {
    check(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (options.all || !first) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    )
  }
  const connect = buildConnector({ timeout: connectLimitMs, lookup })
  return (options, callback) => {
    if (isIP(withoutBrackets(options.hostname)) === 0) connect(options, callback)
    else
      check(options.hostname).then(
        () => connect(options, callback),
        (error: Error) => callback(error, null),
      )
  }
}

/** TLS ends at the target and verifies its name, so the proxy sees nothing but an address. */
function connectThrough(openTunnel: OpenTunnel, check: ResolveAddresses): buildConnector.connector {
  const connect = buildConnector({ timeout: connectLimitMs })
  return (options, callback) => {
    const isSecure = options.protocol === 'https:'
    const port = Number(options.port || (isSecure ? httpsPort : httpPort))
    check(options.hostname)
      .then(([first]) => openTunnel(first?.address ?? '', port))
      .then(
        (tunnel) => {
          const socket = tunnel as Socket // undici returns a socket for a CONNECT
          if (isSecure) connect({ ...options, httpSocket: socket }, callback)
          else callback(null, socket)
        },
        (error: Error) => callback(error, null),
      )
  }
}
