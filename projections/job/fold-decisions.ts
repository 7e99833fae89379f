import type { Recorded } from '../../events/recorded.js'
import type { JobView } from './view.js'

/** The writer's decisions after an event, with every form that each of them had. */
export const evolveDecisions = (view: JobView, event: Recorded): Pick<JobView, 'decisions' | 'withdrawn'> => {
  const { decisions, withdrawn } = view
  const { position, at } = event
  switch (event.type) {
    case 'DecisionRecorded': {
      const { round, decision } = event.data
      const history = [{ position, at, round, decision, changed: [] }]
      return { decisions: [...decisions, { decision, history }], withdrawn }
    }
    case 'DecisionRevised': {
      const { round, decision, changed } = event.data
      return {
        decisions: decisions.map((old) =>
          old.decision.id === decision.id
            ? { decision, history: [...old.history, { position, at, round, decision, changed }] }
            : old,
        ),
        withdrawn,
      }
    }
    case 'DecisionWithdrawn': {
      const { id, round } = event.data
      const gone = decisions.filter(({ decision }) => decision.id === id)
      return {
        decisions: decisions.filter(({ decision }) => decision.id !== id),
        withdrawn: [...withdrawn, ...gone.map((decision) => ({ ...decision, withdrawnIn: round }))],
      }
    }
    default:
      return { decisions, withdrawn }
  }
}
