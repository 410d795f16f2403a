import type { ReactElement } from 'react'
import { escrows as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { Badge } from '../../ui/badge.tsx'

export const EscrowBadge = ({ status }: { status: string }): ReactElement => (
  <Badge tone={status === 'active' ? 'good' : 'neutral'} text={nameOf(text.statuses, status)} />
)
