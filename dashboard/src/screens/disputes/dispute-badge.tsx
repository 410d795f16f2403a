import type { ReactElement } from 'react'
import { disputes } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const tones: Readonly<Record<string, Tone>> = {
  warning: 'wait',
  needs_response: 'wait',
  won: 'good',
  lost: 'bad',
}

export const DisputeBadge = ({ state }: { state: string }): ReactElement => (
  <Badge tone={tones[state] ?? 'neutral'} text={nameOf(disputes.states, state)} />
)
