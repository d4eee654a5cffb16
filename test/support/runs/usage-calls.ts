/** One call for each row of the contract about usage, budgets, the reserve and versions of the client. */
export const USAGE_CALLS = {
  getUsage: { status: 200, query: '?since=2026-01-01&by=project' },
  getUsageNow: { status: 200 },
  listBudgets: { status: 200 },
  setBudget: { status: 200, body: { scope: 'day', measure: 'cost', limit: 1000 } },
  raiseBudget: { status: 200, id: '1', body: { limit: 2000, why: 'a long night' } },
  removeBudget: { status: 200, id: '1' },
  listClientVersions: { status: 200 },
  testClient: { status: 200 },
  setClientTrust: { status: 200, body: { version: '2.1.900', trusted: true } },
  getReserve: { status: 200 },
  setReserve: {
    status: 200,
    body: { line: { five_hour: 100, weekly: 100 }, hours: [], zone: 'UTC' },
  },
  listQuestionRules: { status: 200 },
  setQuestionRule: { status: 200, body: { scope: 'all', action: 'escalate', after_minutes: 30 } },
  tryQuestionRule: { status: 200, id: '1' },
  switchQuestionRule: { status: 200, id: '1', body: { on: true } },
  removeQuestionRule: { status: 200, id: '1' },
  removeReserve: { status: 200 },
  exportUsage: { status: 200, query: '?format=csv' },
} as const;
