import { z } from 'zod'
import type { Sandbox } from '../declared.ts'
import type { HttpCall, HttpClient } from '../http-client.ts'

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]']
/** Shorter credentials may be common words, whose redaction would make a line unreadable. */
const shortestSecret = 6
const lineCharacters = 160

/** Calls only the sandbox and this machine (the simulator), whatever hosts the credentials contain. */
export interface GuardedHttp {
  http: HttpClient
  /** Every answer so far, with its request. */
  answers: { call: HttpCall; status: number }[]
  /** The number of attempted calls. */
  calls: () => number
  /** Hosts to which a call was blocked. */
  refusedHosts: Set<string>
}

export function guardHttp({ hosts, unknownKeyWord }: Sandbox, http: HttpClient): GuardedHttp {
  const answers: GuardedHttp['answers'] = []
  const refusedHosts = new Set<string>()
  let calls = 0
  const guarded: HttpClient = async (call) => {
    calls += 1
    const { host, hostname } = new URL(call.url)
    if (!loopbackHosts.includes(hostname) && !hosts.includes(host)) {
      refusedHosts.add(host)
      return { kind: 'not_sent', reason: `${host} is not the sandbox` }
    }
    const result = await http(call)
    if (result.kind !== 'answered') return result
    const isUnknownKey = unknownKeyWord !== undefined && result.body.includes(unknownKeyWord)
    answers.push({ call, status: isUnknownKey ? 401 : result.status })
    return result
  }
  return { http: guarded, answers, calls: () => calls, refusedHosts }
}

/** Why these may be live keys. Undefined: they are test keys. */
export function liveKeyOf({ keys = {} }: Sandbox, credentials: unknown): string | undefined {
  const known = z.record(z.string(), z.unknown()).safeParse(credentials).data ?? {}
  for (const [name, beginnings] of Object.entries(keys)) {
    const value = known[name]
    const isTest = typeof value === 'string' && beginnings.some((beginning) => value.startsWith(beginning))
    if (!isTest) return `${name} does not begin with ${beginnings.join(' or ')}`
  }
  return undefined
}

/** Returns one line without any credential, even if a provider or an error repeats it. */
export function redactor(credentials: unknown): (text: string) => string {
  const secrets = textsIn(credentials)
    .filter((text) => text.length >= shortestSecret && !URL.canParse(text))
    .toSorted((a, b) => b.length - a.length)
  return (text) => {
    const clean = secrets.reduce((line, secret) => line.replaceAll(secret, '***'), text)
    return clean.replaceAll(/\s+/g, ' ').slice(0, lineCharacters)
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
