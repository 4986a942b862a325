// The options with which every host is started, so that their answers can be compared byte for byte.

export const kSeed = 1;
export const kStart = '2026-01-01T00:00:00Z';
export const kFeatureGates = { CBORServingAndStorage: true };
/** The tokens of the recordings. */
export const kTokenFile = 'admin-token,admin,admin-uid,"system:masters"\nviewer-token,viewer,viewer-uid,"viewers"\n';
/** The header of requests to the control paths, which ask for an admin where not everything is allowed. */
export const kAsAdmin = ['authorization', 'Bearer admin-token'];

/** Returns true for scenarios that need the scheduler. */
const runsScheduler = (scenario) => /^scheduler\//.test(scenario);

/** Returns true for scenarios that need control loops. */
export const runsControllers = (scenario) => /^(controllers|control-loops)\//.test(scenario);

/** Returns true for scenarios that wait for the server's own work: with control loops or custom resources. */
export const movesClock = (scenario) => runsControllers(scenario) || runsScheduler(scenario) || /^(crd|custom-\w+)\/|\/custom-resource$/.test(scenario);

/** Returns true for scenarios about authentication and authorization. */
const controlsAccess = (scenario) => /^(auth|access)\//.test(scenario) || scenario === 'errors/unauthorized' || scenario === 'webhooks/user-info';

// The recorded server ran without the plugin: nobody made accounts there.
const kNotRecorded = ['ServiceAccount'];

/** Feature gates by topic. */
const kGatesOf = { corrupt: { AllowUnsafeMalformedObjectDeletion: true } };

/**
 * Returns the options for the server of a scenario. Scenarios with different options need different servers.
 * @param {string} scenario topic/name
 */
export const startOf = (scenario) => ({
  controllers: runsControllers(scenario) ? 'all' : 'none',
  disableAdmissionPlugins: kNotRecorded,
  scheduler: runsScheduler(scenario),
  authorizationMode: controlsAccess(scenario) ? 'RBAC' : 'AlwaysAllow',
  featureGates: { ...kFeatureGates, ...kGatesOf[scenario.split('/')[0]] },
});

/** The address of hosts without a port of their own. */
export const kAddress = '127.0.0.1:8001';

/**
 * Returns the clock after the nth reset. Scenarios that wait may move it by different amounts on each host, so each
 * begins an hour after the one before.
 * @param {number} count
 */
export const timeOfScenario = (count) => new Date(Date.parse(kStart) + count * 3_600_000).toISOString().replace('.000Z', 'Z');
