/** A page of the site: the file of this repository that it shows, and its address. */
export interface SitePage {
  file: string
  slug: string
  /** In the navigation; without it the title of the page. */
  label?: string
  /** The search does not show it. */
  isUnsearched?: boolean
}

export interface SiteSection {
  label: string
  pages: readonly SitePage[]
}

const page = (file: string, slug: string, label?: string): SitePage => ({
  file,
  slug,
  ...(label !== undefined && { label }),
})

/** Every page in the order in which the navigation shows them. Decisions and runbooks are added from their folders. */
export const sections: readonly SiteSection[] = [
  {
    label: 'Start',
    pages: [
      page('README.md', 'start/overview', 'What it is'),
      page('docs/first-payments.md', 'start/first-payments'),
      page('docs/api-guide.md', 'start/api-guide', 'Call the API'),
      page('docs/samples.md', 'start/samples'),
      page('docs/checkout.md', 'start/payment-links', 'Take a payment by link'),
      page('docs/webhooks.md', 'start/webhooks', 'Receive webhooks'),
      page('simulator/README.md', 'start/sandbox', 'Test with the simulator'),
      // It has the words of every question and the answer to none.
      { ...page('docs/questions.md', 'start/questions'), isUnsearched: true },
    ],
  },
  {
    label: 'Concepts',
    pages: [
      page('ARCHITECTURE.md', 'concepts/architecture', 'Architecture'),
      page('docs/concepts/life-of-a-payment.md', 'concepts/life-of-a-payment'),
      page('docs/concepts/unknown.md', 'concepts/unknown'),
      page('docs/concepts/idempotency.md', 'concepts/idempotency'),
      page('docs/money.md', 'concepts/custody', 'Custody and balances'),
      page('docs/concepts/ledger.md', 'concepts/ledger'),
      page('docs/routing.md', 'concepts/routing'),
    ],
  },
  {
    label: 'Guides',
    pages: [
      page('docs/dashboard.md', 'guides/dashboard'),
      page('docs/cli.md', 'guides/command-line'),
      page('docs/bulk-payouts.md', 'guides/bulk-payouts'),
      page('docs/disputes.md', 'guides/disputes'),
      page('docs/exceptions.md', 'guides/exceptions'),
      page('docs/escrow.md', 'guides/escrow'),
      page('docs/virtual-accounts.md', 'guides/virtual-accounts'),
      page('docs/ramps.md', 'guides/ramps'),
      page('docs/fees.md', 'guides/fees'),
      page('docs/four-eyes.md', 'guides/four-eyes'),
      page('docs/back-office.md', 'guides/back-office'),
      page('docs/reconciliation.md', 'guides/reconciliation'),
      page('docs/routing-health.md', 'guides/routing-health'),
      page('docs/adding-a-connector.md', 'guides/adding-a-connector'),
      page('docs/connector-check.md', 'guides/connector-check', 'Checking a connector'),
      page('CONTRIBUTING.md', 'guides/contributing'),
    ],
  },
  {
    label: 'Operate',
    pages: [
      page('docs/operations.md', 'operate/operations'),
      page('docs/deploy.md', 'operate/deploy', 'Deploying'),
      page('docs/keys.md', 'operate/keys', 'Keys and rotation'),
      page('docs/privacy.md', 'operate/privacy'),
      page('docs/archive.md', 'operate/archive'),
      page('docs/scale.md', 'operate/scale'),
      page('docs/performance.md', 'operate/performance'),
      page('SECURITY.md', 'operate/security'),
      page('docs/suspension.md', 'operate/suspension'),
      page('docs/sanctions.md', 'operate/sanctions'),
      page('docs/audit-log.md', 'operate/audit-log'),
      page('docs/pci.md', 'operate/pci'),
      page('docs/threat-model.md', 'operate/threat-model'),
      page('docs/supply-chain.md', 'operate/supply-chain'),
    ],
  },
  {
    label: 'Reference',
    pages: [
      page('docs/endpoints.md', 'reference/endpoints'),
      page('docs/reference/events.md', 'reference/events'),
      page('docs/reference/errors.md', 'reference/errors'),
      page('docs/settings.md', 'reference/settings'),
      page('docs/reference/metrics.md', 'reference/metrics'),
      page('docs/connectors.md', 'reference/connectors'),
      page('docs/licences.md', 'reference/licences'),
      page('CHANGELOG.md', 'reference/changelog'),
    ],
  },
  {
    label: 'Proof',
    pages: [
      page('docs/proof.md', 'proof/proof', 'What was tested, and how'),
      page('docs/mutants.md', 'proof/mutants'),
    ],
  },
]
