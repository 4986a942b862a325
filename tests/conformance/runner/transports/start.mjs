// How every host is started, so that their answers can be compared byte for byte.

export const kSeed = 1;
export const kStart = '2026-01-01T00:00:00Z';
export const kFeatureGates = { CBORServingAndStorage: true };
/** The tokens of the recordings. */
export const kTokenFile = 'admin-token,admin,admin-uid,"system:masters"\nviewer-token,viewer,viewer-uid,"viewers"\n';

/** Topics whose scenarios need control loops. */
export const runsControllers = (scenario) => /^(controllers|control-loops)\//.test(scenario);

/** Topics whose scenarios wait for what the server does by itself: with control loops, and with custom resources. */
export const movesClock = (scenario) => runsControllers(scenario) || /^(crd|custom-\w+)\//.test(scenario);

/** Scenarios that ask who may do what. */
const controlsAccess = (scenario) => /^(auth|access)\//.test(scenario) || scenario === 'errors/unauthorized';

/** Topics with feature gates of their own. */
const kGatesOf = { corrupt: { AllowUnsafeMalformedObjectDeletion: true } };

/**
 * With what the server of a scenario is started. Where that changes from one scenario to the next, the server is
 * another one.
 * @param {string} scenario topic/name
 */
export const startOf = (scenario) => ({
  controllers: runsControllers(scenario) ? 'all' : 'none',
  authorizationMode: controlsAccess(scenario) ? 'RBAC' : 'AlwaysAllow',
  featureGates: { ...kFeatureGates, ...kGatesOf[scenario.split('/')[0]] },
});

/** What hosts without a port of their own say about theirs. */
export const kAddress = '127.0.0.1:8001';

/**
 * The clock after the nth reset. Scenarios that wait may move it differently far on each
 * host, so each begins an hour after the one before.
 * @param {number} count
 */
export const timeOfScenario = (count) => new Date(Date.parse(kStart) + count * 3_600_000).toISOString().replace('.000Z', 'Z');
