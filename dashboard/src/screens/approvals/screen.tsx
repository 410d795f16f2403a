import type { ReactElement } from 'react'
import { approvals } from '../../messages/generated/texts.ts'
import { useMay } from '../../shell/session.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import work from '../../ui/work.module.css'
import { ChangeQueue } from './change-queue.tsx'
import { PaymentQueue } from './payment-queue.tsx'
import { RefundQueue } from './refund-queue.tsx'

export function Screen(): ReactElement {
  const maySeeChanges = useMay('approval-policies:read')
  return (
    <Page title={approvals.title}>
      <div className={work.tabbed}>
        <Tabs
          label={approvals.views}
          tabs={[
            { id: 'payments', label: approvals.payments, content: <PaymentQueue /> },
            { id: 'refunds', label: approvals.refunds, content: <RefundQueue /> },
            ...(maySeeChanges
              ? [
                  {
                    id: 'resolutions',
                    label: approvals.resolutions,
                    content: <ChangeQueue isOfResolutions />,
                  },
                  {
                    id: 'changes',
                    label: approvals.changes,
                    content: <ChangeQueue isOfResolutions={false} />,
                  },
                ]
              : []),
          ]}
        />
      </div>
    </Page>
  )
}
