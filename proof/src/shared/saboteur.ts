import { setTimeout as delay } from 'node:timers/promises'
import { limits } from './limits.ts'
import type { Link, LinkName, Move, Part, PartName, Step } from './moves.ts'

export type Fault = { atMs: number; text: string; recoveryMs?: number; kind: string; part: string }

/** What the saboteur can damage. */
type Target = {
  readonly parts: ReadonlyMap<PartName, Part>
  readonly links?: ReadonlyMap<LinkName, Link>
  readonly simulatorUrl: string
}

export type Saboteur = {
  readonly faults: readonly Fault[]
  /** Resolves when the payment may begin, which is once every move planned before it has begun. */
  untilDue(paymentIndex: number): Promise<void>
  /** Resolves when every move has ended and every part is running again. */
  readonly finished: Promise<void>
}

/** Carries out the moves in order. Moves on different parts overlap, but only one engine node is down at a time. */
export function startSaboteur(
  target: Target,
  steps: readonly Step[],
  print: (line: string) => void,
): Saboteur {
  const faults: Fault[] = []
  const busy = new Map<string, Promise<void>>()
  const waiting: { index: number; go: () => void }[] = []
  let begun = 0
  let highest = -1
  let isOver = false
  let wake = (): void => undefined

  const release = (): void => {
    const next = isOver ? Infinity : (steps[begun]?.afterPayments ?? Infinity)
    for (const waiter of waiting.splice(0)) {
      if (waiter.index <= next) waiter.go()
      else waiting.push(waiter)
    }
  }
  const run = async (): Promise<void> => {
    for (const step of steps) {
      while (highest < step.afterPayments)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      const group = groupOf(step.move)
      await busy.get(group)
      const fault: Fault = { atMs: Date.now(), ...describe(step.move) }
      faults.push(fault)
      busy.set(
        group,
        carryOut(target, step.move, fault).catch((error: unknown) =>
          print(`${fault.text}: ${String(error)}`),
        ),
      )
      begun += 1
      release()
      if (begun % 50 === 0) print(`${begun} of ${steps.length} moves, ${highest} payments begun`)
      await delay(step.gapMs)
    }
    await Promise.all(busy.values())
  }
  const finished = run().finally(() => {
    isOver = true
    release()
  })
  return {
    faults,
    finished,
    untilDue(index) {
      highest = Math.max(highest, index)
      wake()
      return new Promise<void>((go) => {
        waiting.push({ index, go })
        release()
      })
    },
  }
}

const groupOf = (move: Move): string => {
  if (move.kind === 'provider') return move.provider
  if (move.kind === 'network') return `network ${move.link}`
  return move.part.startsWith('engine') ? 'engine' : move.part
}

function describe(move: Move): Pick<Fault, 'text' | 'kind' | 'part'> {
  switch (move.kind) {
    case 'kill':
      return { kind: 'kill', part: move.part, text: `kill -9 ${move.part}` }
    case 'point':
      return { kind: 'point', part: move.part, text: `kill -9 ${move.part} at ${move.point}` }
    case 'pause':
      return { kind: 'pause', part: move.part, text: `stop ${move.part} for ${move.ms} ms` }
    case 'provider':
      return {
        kind: 'provider',
        part: move.provider,
        text: `${move.provider}: ${move.faults.map(({ fault, on }) => `${fault} on ${on}`).join(', ')}`,
      }
    case 'network':
      return { kind: 'network', part: move.link, text: `cut off the ${move.link} for ${move.ms} ms` }
  }
}

async function carryOut(target: Target, move: Move, fault: Fault): Promise<void> {
  if (move.kind === 'provider') return injectFaults(target, move)
  if (move.kind === 'network') {
    const link = target.links?.get(move.link)
    if (!link) throw new Error(`this installation has no link ${move.link}`)
    return link.interrupt(move.ms)
  }
  const part = partOf(target, move.part)
  if (move.kind === 'pause') {
    part.pause()
    await delay(move.ms)
    part.resume()
    return
  }
  if (move.kind === 'point' && part.killAt) {
    const isReached = await part.killAt(move.point)
    if (!isReached) fault.text += ' (not reached in time)'
  } else await part.kill()
  const killedAt = performance.now()
  await restart(part)
  fault.recoveryMs = performance.now() - killedAt
}

/** Retries, because a service that the part needs may be down at the same time. */
async function restart(part: Part): Promise<void> {
  const deadline = performance.now() + limits.restartMs
  for (;;) {
    try {
      return await part.start()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await part.kill().catch(() => undefined)
    }
  }
}

async function injectFaults(target: Target, move: Extract<Move, { kind: 'provider' }>): Promise<void> {
  const response = await fetch(`${target.simulatorUrl}/${move.provider}/_faults`, {
    method: 'PUT',
    body: JSON.stringify({ faults: move.faults }),
  })
  if (!response.ok) throw new Error(`the simulator refused a fault: ${await response.text()}`)
}

export function partOf(target: Target, name: PartName): Part {
  const part = target.parts.get(name)
  if (!part) throw new Error(`there is no ${name}`)
  return part
}
