import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { dataKeys as text } from '../../messages/generated/texts.ts'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'

/** The API returns the id of a new key, but never the key itself. */
export function DataKey({ orgId }: { orgId: string }): ReactElement {
  const [isAsking, setAsking] = useState(false)
  const [keyId, setKeyId] = useState<string>()
  return (
    <Panel title={text.title} aside={<Button onClick={() => setAsking(true)}>{text.rotate}</Button>}>
      <p className={parts.text}>{text.text}</p>
      {keyId !== undefined && (
        <Facts facts={[{ label: text.current, value: <span className={parts.mono}>{keyId}</span> }]} />
      )}
      {isAsking && (
        <FormDialog
          title={text.confirmTitle}
          text={text.confirmText}
          submitLabel={text.submit}
          onClose={() => setAsking(false)}
          onSubmit={async ({ idempotencyKey }) => {
            const rotated = await api.dataKeys.rotate(orgId, { idempotencyKey })
            setKeyId(rotated.data_key_id)
            showToast(text.done)
          }}
        />
      )}
    </Panel>
  )
}
