import type { ChangeRequest, ScreeningMatchDetails } from '@switchyard/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { usePeople } from '../../api/use-people.ts'
import { changeRequest, match as text } from '../../messages/generated/texts.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { AreaField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import { ChangeDecision } from '../change-request/decision.tsx'
import { isHeld } from '../members/parts.tsx'
import styles from './match.module.css'

type Choice = 'clear' | 'confirm'

interface MatchProps {
  match: ScreeningMatchDetails
}

/** The panel shows who has to decide before anyone tries. */
export function DecisionPanel({ match }: MatchProps): ReactElement {
  const [chosen, setChosen] = useState<Choice>()
  const { status, clearance_request_id: requestId } = match
  const mayClear = status !== 'cleared' && requestId === null
  const mayConfirm = status !== 'confirmed'
  return (
    <>
      {requestId !== null && <Asked orgId={match.org_id} requestId={requestId} />}
      <Panel title={requestId === null ? text.decision : text.otherwise}>
        <div className={work.decision}>
          {mayClear && (
            <>
              <p className={ui.muted}>{text.twoPeople}</p>
              <Button isPrimary={status === 'open'} onClick={() => setChosen('clear')}>
                {text.clear.button}
              </Button>
            </>
          )}
          {mayConfirm && (
            <>
              <p className={ui.muted}>{text.onePerson}</p>
              <Button onClick={() => setChosen('confirm')}>{text.confirm.button}</Button>
            </>
          )}
        </div>
        {chosen && <DecisionDialog match={match} choice={chosen} onClose={() => setChosen(undefined)} />}
      </Panel>
    </>
  )
}

function DecisionDialog({
  match,
  choice,
  onClose,
}: MatchProps & { choice: Choice; onClose: () => void }): ReactElement {
  const client = useQueryClient()
  const words = text[choice]
  return (
    <FormDialog
      title={words.title}
      subject={`${choice} match ${match.match_id}`}
      text={words.text}
      submitLabel={words.button}
      isDangerous={choice === 'confirm'}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const body = { reason: field('reason') }
        const answer =
          choice === 'clear'
            ? await api.screening.clearMatch(match.match_id, body, { idempotencyKey })
            : await api.screening.confirmMatch(match.match_id, body, { idempotencyKey })
        showToast(isHeld(answer) ? text.clear.asked : words.done)
        await Promise.all(
          ['matches', 'approvals', 'waiting', 'payment'].map((name) =>
            client.invalidateQueries({ queryKey: [name] }),
          ),
        )
      }}
    >
      <AreaField name="reason" label={text.reason} hint={text.reasonHint} required maxLength={500} />
    </FormDialog>
  )
}

/** Someone has asked to clear the match: another operator approves or rejects the request here. */
function Asked({ orgId, requestId }: { orgId: string; requestId: string }): ReactElement | false {
  const { data, error, refetch } = useQuery({
    queryKey: ['approvals', 'change', requestId],
    queryFn: ({ signal }) => api.changeRequests.get(orgId, requestId, { signal }),
    enabled: useMay('approval-policies:read'),
  })
  const [isOvertaken, setOvertaken] = useState(false)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return false
  return (
    <>
      {isOvertaken && (
        <Callout tone="wait" title={changeRequest.faster} isAlert>
          {changeRequest.fasterText}
        </Callout>
      )}
      <Request request={data} />
      {data.status === 'pending' && <ChangeDecision request={data} onOvertaken={() => setOvertaken(true)} />}
    </>
  )
}

function Request({ request }: { request: ChangeRequest }): ReactElement {
  const { me } = useIdentity()
  const nameOfPerson = usePeople()
  const isOwn = request.requested_by === me.user_id
  const isOperator = me.permissions.includes('platform:write')
  const { reason } = (request.payload ?? {}) as { reason?: string } // written when a match is cleared
  return (
    <Callout tone="wait" title={isOwn ? text.askedYou : text.asked}>
      <div className={styles.asked}>
        {!isOwn && <p>{text.askedBy(nameOfPerson(request.requested_by))}</p>}
        <q>
          <bdi>{reason}</bdi>
        </q>
        <Moment at={request.created_at} isExact />
        {isOwn && <p>{text.waitsForOther}</p>}
        {!isOwn && !isOperator && <p>{text.waitsForOperator}</p>}
      </div>
    </Callout>
  )
}
